//! Linear equalities that hold on all rows of numbers.

/// The relations `sum of coefficient * column == 0` that every row satisfies,
/// as a basis: a column that depends on earlier ones is expressed by these.
/// Coefficients are integers without a common factor. Numbers that grow too
/// large make a row or a relation drop out; callers check what they get.
pub(crate) fn relations<'a>(
    rows: impl IntoIterator<Item = &'a [i128]>,
    columns: usize,
) -> Vec<Vec<i128>> {
    // Rows in echelon form, each with its first column that is not zero.
    let mut basis: Vec<(usize, Vec<i128>)> = Vec::new();
    for row in rows {
        let mut row = row.to_vec();
        let reduced =
            basis.iter().try_for_each(|(pivot, known)| eliminate(&mut row, known, *pivot));
        if reduced.is_none() {
            continue;
        }
        if let Some(pivot) = row.iter().position(|v| *v != 0) {
            normalize(&mut row, pivot);
            let cleared: Option<Vec<_>> = basis
                .iter()
                .map(|(at, known)| {
                    let mut known = known.clone();
                    eliminate(&mut known, &row, pivot)?;
                    normalize(&mut known, *at);
                    Some((*at, known))
                })
                .collect();
            if let Some(cleared) = cleared {
                basis = cleared;
                basis.push((pivot, row));
            }
        }
        if basis.len() == columns {
            return Vec::new();
        }
    }
    let is_pivot = |c: usize| basis.iter().any(|(pivot, _)| *pivot == c);
    let free = (0..columns).filter(|c| !is_pivot(*c));
    free.filter_map(|column| relation(&basis, column, columns)).collect()
}

/// The relation that expresses a column without a pivot by those with one.
fn relation(basis: &[(usize, Vec<i128>)], column: usize, columns: usize) -> Option<Vec<i128>> {
    // `p * x_pivot + a * x_column == 0` on all rows, with other free columns at zero.
    let mut scale = 1i128;
    for (pivot, row) in basis {
        if row[column] != 0 {
            scale = lcm(scale, row[*pivot] / gcd(row[*pivot], row[column]))?;
        }
    }
    // A vector orthogonal to all rows: the free column gets `scale`.
    let mut vector = vec![0; columns];
    vector[column] = scale;
    for (pivot, row) in basis {
        let product = row[column].checked_mul(scale)?;
        vector[*pivot] = product.checked_div(row[*pivot])?.checked_neg()?;
    }
    normalize(&mut vector, column);
    Some(vector)
}

/// Makes the entry of a row at the pivot of another zero.
fn eliminate(row: &mut [i128], known: &[i128], pivot: usize) -> Option<()> {
    if row[pivot] == 0 {
        return Some(());
    }
    let common = gcd(row[pivot], known[pivot]);
    let (a, b) = (known[pivot] / common, row[pivot] / common);
    for (value, other) in row.iter_mut().zip(known) {
        *value = value.checked_mul(a)?.checked_sub(other.checked_mul(b)?)?;
    }
    let first = row.iter().position(|v| *v != 0).unwrap_or(0);
    normalize(row, first);
    Some(())
}

/// Divides by the common factor, and makes the entry at `sign` positive.
fn normalize(row: &mut [i128], sign: usize) {
    let mut common = row.iter().fold(0, |common, v| gcd(common, *v));
    if common == 0 {
        return;
    }
    if row[sign] < 0 {
        common = -common;
    }
    row.iter_mut().for_each(|v| *v /= common);
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Only the absolute value of the least number does not fit.
    i128::try_from(a).unwrap_or(1)
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    (a / gcd(a, b).max(1)).checked_mul(b).map(i128::abs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[&[i128]]) -> Vec<Vec<i128>> {
        relations(rows.iter().copied(), rows[0].len())
    }

    #[test]
    fn relations_of_rows() {
        // The third column is the sum of the first two, less one.
        let rows: [&[i128]; 4] = [&[1, 2, 3, 4], &[1, 5, -2, 2], &[1, 0, 0, -1], &[1, 7, 7, 13]];
        assert_eq!(found(&rows), [[1, -1, -1, 1]]);
        // Two relations: a constant, and twice a column.
        let rows: [&[i128]; 3] = [&[1, 2, 91, 4], &[1, 5, 91, 10], &[1, 0, 91, 0]];
        assert_eq!(found(&rows), [[-91, 0, 1, 0], [0, -2, 0, 1]]);
        // Halves need a coefficient on the left as well.
        let rows: [&[i128]; 3] = [&[1, 2, 1], &[1, 6, 3], &[1, 8, 4]];
        assert_eq!(found(&rows), [[0, -1, 2]]);
        let rows: [&[i128]; 3] = [&[1, 2, 1], &[1, 6, 3], &[1, 8, 5]];
        assert!(found(&rows).is_empty());
    }

    #[test]
    fn every_relation_holds_on_every_row() {
        let mut seed = 7u64;
        for round in 0..200 {
            let columns = 2 + round % 5;
            let rows: Vec<Vec<i128>> = (0..round % 7 + 1)
                .map(|_| {
                    let number = |_| {
                        seed = seed
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        i128::from(seed >> 60) - 8
                    };
                    (0..columns).map(number).collect()
                })
                .collect();
            for relation in relations(rows.iter().map(Vec::as_slice), columns) {
                assert!(relation.iter().any(|c| *c != 0));
                for row in &rows {
                    let sum: i128 = row.iter().zip(&relation).map(|(a, b)| a * b).sum();
                    assert_eq!(sum, 0, "{relation:?} on {row:?}");
                }
            }
        }
    }
}
