int count = 5;
int sizes[4];
