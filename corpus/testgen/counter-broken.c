//~ 3 holds
//~ 4 violated
/* A counter that saturates one too late: four steps up are needed to see it. */
/*@ testgen
[container]
new = "counter_init"
invariant = "counter_ok"

[[operation]]
call = "counter_up"

[[operation]]
call = "counter_down"
*/
struct counter {
    int value;
};

void counter_init(struct counter *c)
{
    c->value = 0;
}

void counter_up(struct counter *c)
{
    if (c->value <= 3)
        c->value++;
}

void counter_down(struct counter *c)
{
    if (c->value > 0)
        c->value--;
}

int counter_ok(struct counter *c)
{
    return c->value >= 0 && c->value <= 3;
}
