const inBerlin = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Berlin' });

/** Returns the calendar day in Berlin, yyyy-MM-dd: the day that merchants mean. */
export const berlinDay = (moment: Date): string => inBerlin.format(moment);
