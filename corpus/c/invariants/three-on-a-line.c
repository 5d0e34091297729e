//~ unreach-call holds
//@ decided-by: cegar, symba
// Three numbers on one line through a value that is not known, up and down again.
extern int nd(void);
extern void reach_error(void);
int main(void){
  int x=nd(), y=nd(), z=0;
  if (x<0||x>1000) return 0;
  y=x; z = 3*x;
  while (nd()) { if (x>2000) break; x++; y++; z+=3; }
  while (x>0) { x--; y--; z-=3; }
  if (y!=0||z!=0) reach_error();
  return 0;
}
