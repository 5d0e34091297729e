//~ 4 holds
//~ 5 violated
/* A ring buffer that forgets to wrap when the first cell has moved: it takes two
   puts, a get and two puts to write over the edge. */
/*@ testgen
[container]
new = "queue_init"
invariant = "queue_ok"

[[operation]]
call = "queue_put"

[[operation]]
call = "queue_get"
*/
struct queue {
    int cells[3];
    unsigned first;
    unsigned count;
    int sum;
};

void queue_init(struct queue *q)
{
    q->cells[0] = q->cells[1] = q->cells[2] = 0;
    q->first = 0;
    q->count = 0;
    q->sum = 0;
}

int queue_put(struct queue *q, int value)
{
    if (q->count == 3)
        return 0;
    q->cells[q->first + q->count] = value;
    q->count++;
    q->sum += value;
    return 1;
}

int queue_get(struct queue *q)
{
    if (q->count == 0)
        return -1;
    int value = q->cells[q->first];
    q->first = (q->first + 1) % 3;
    q->count--;
    q->sum -= value;
    return value;
}

int queue_ok(struct queue *q)
{
    int sum = 0;
    for (unsigned i = 0; i < q->count; i++)
        sum += q->cells[(q->first + i) % 3];
    return sum == q->sum;
}
