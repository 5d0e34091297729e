#ifndef ACTIONS_H
#define ACTIONS_H
void take(void);
void give(void);
void say(void);
void note(void);
#endif
