/** A day and its time: 12/1/2026 8:26, 01-31-26, 01/31/2026 2:05 PM, 31/1/2026 14:05 +0100. */
const numbered =
  /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})((?:[ ,T]+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?(?:\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?)?)$/i;
/** 26/01/31 may begin with its year. */
const perhapsYearFirst = /^(?:1[3-9]|[2-9]\d)[/-]\d{1,2}[/-]\d{2}(?!\d)/;
const halfDay = /(\d{1,2})((?::\d{2}){1,2})\s*([ap])\.?m\.?(?=$|[\s+-]|z$)/i;

/** Returns a time of a day of 24 hours: 2:05 PM is 14:05. */
export const inWholeDay = (time: string): string =>
  time.replace(halfDay, (_all, hour: string, rest: string, half: string) => {
    const begun = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return `${String(begun).padStart(2, '0')}${rest}`;
  });

/**
 * Returns a function that writes the days of a column like German ones if all have slashes or hyphens. Programs write the month first
 * or second: only a number above 12 shows which. If no or both positions have such a number, or a cell has other text, days are
 * returned unchanged.
 */
export function ambiguousDays(texts: readonly string[]): (text: string) => string {
  const filled = texts.filter((text) => text.trim() !== '');
  const found = filled.flatMap((text) => {
    const [, first, , second] = numbered.exec(text.trim()) ?? [];
    return first === undefined || perhapsYearFirst.test(text.trim()) ? [] : [[Number(first), Number(second)] as const];
  });
  const isDayFirst = found.some(([first]) => first > 12);
  const isMonthFirst = found.some(([, second]) => second > 12);
  if (found.length < filled.length || isDayFirst === isMonthFirst) return (text) => text;
  return (text) => {
    const [, first, , second, year, time = ''] = numbered.exec(text.trim()) ?? [];
    if (first === undefined) return text;
    const [day, month] = isDayFirst ? [first, second] : [second, first];
    return `${day}.${month}.${year}${inWholeDay(time)}`;
  };
}
