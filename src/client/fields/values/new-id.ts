const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** GEN-02: makes an id of ten random characters of [A-Za-z0-9], uniformly distributed. */
export function newRuleId(): string {
  let id = '';
  while (id.length < 10) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // 248 is 4 times 62; larger bytes would make the first letters likelier.
      if (byte < 248 && id.length < 10) id += letters[byte % 62];
    }
  }
  return id;
}

/** GEN-02: makes ids of new rows, which are the time in milliseconds; an id that is taken is replaced by the next free number. */
export function newRowIds(existing: Iterable<string>, count: number, now: number): string[] {
  const used = new Set(existing);
  let id = now - 1;
  return Array.from({ length: count }, () => {
    do id += 1;
    while (used.has(String(id)));
    return String(id);
  });
}
