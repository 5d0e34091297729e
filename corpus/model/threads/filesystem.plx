// Each thread gives its file a block: it locks the inode, and looks for a block that is
// free, under the lock of that block.
//
// Source    C. Flanagan, P. Godefroid, Dynamic Partial-Order Reduction for Model Checking
//           Software, POPL 2005, figure 11, with fewer inodes and blocks
//~ once holds
//~ deadlock_free holds
//@ decided-by: explicit
const N = 2, INODES = 4, BLOCKS = 8;

var inode_locked: [INODES] bool = false, inode: [INODES] 0..=BLOCKS = 0;
var block_locked: [BLOCKS] bool = false, busy: [BLOCKS] bool = false;

process Thread[i in 0..N] {
  location start, reading, looking, checking, marking, giving_up, linking, unlocking, final done;
  lock_inode: start -> reading when !inode_locked[i % INODES] do inode_locked[i % INODES] := true;
  has_block: reading -> unlocking when inode[i % INODES] != 0;
  has_none: reading -> looking when inode[i % INODES] == 0;
  lock_block: looking -> checking
      when !block_locked[(i * 2) % BLOCKS]
      do block_locked[(i * 2) % BLOCKS] := true;
  free: checking -> marking when !busy[(i * 2) % BLOCKS];
  taken: checking -> giving_up when busy[(i * 2) % BLOCKS];
  mark: marking -> linking do busy[(i * 2) % BLOCKS] := true;
  link: linking -> giving_up do inode[i % INODES] := (i * 2) % BLOCKS + 1;
  unlock_block: giving_up -> unlocking do block_locked[(i * 2) % BLOCKS] := false;
  unlock_inode: unlocking -> done do inode_locked[i % INODES] := false;
}

invariant once:
    forall a in 0..INODES, b in 0..INODES: a != b && inode[a] != 0 => inode[a] != inode[b];
deadlock_free;
