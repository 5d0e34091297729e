struct set { int items[4]; int count; };
void set_init(struct set *s) { s->count = 0; }
int set_ok(struct set *s) { return s->count >= 0 && s->count <= 4; }
int set_add(struct set *s, int x) {
    for (int i = 0; i < s->count; i++) if (s->items[i] == x) return 0;
    if (s->count == 4) return 0;
    s->items[s->count++] = x;
    return 1;
}
int set_remove(struct set *s, int x) {
    for (int i = 0; i < s->count; i++)
        if (s->items[i] == x) { s->items[i] = s->items[--s->count]; return 1; }
    return 0;
}
int set_has(const struct set *s, int x) {
    for (int i = 0; i < s->count; i++) if (s->items[i] == x) return 1;
    return 0;
}
