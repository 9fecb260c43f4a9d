const inBerlin = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Berlin' });

/** The day on the calendar in Berlin, yyyy-MM-dd: the one that merchants mean. */
export const berlinDay = (moment: Date): string => inBerlin.format(moment);
