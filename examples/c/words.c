// A library: `parallax check words.c --function copy_word` calls one of its functions.
#include <stddef.h>

struct word {
  const char *text;
  struct word *next;
};

// The first word of a text, into a buffer of `size` characters.
size_t copy_word(char *to, size_t size, const char *from) {
  size_t i = 0;
  while (i < size && from[i] != 0 && from[i] != ' ') {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  return i;
}

// How many words there are.
unsigned count_words(const struct word *first) {
  unsigned count = 0;
  for (const struct word *word = first; word != NULL; word = word->next)
    count++;
  return count;
}

// The word after the first.
const char *second_word(const struct word *first) {
  return first->next->text;
}
