import { z } from 'zod';

/** A whole number as forms send it: digits and nothing else, or a number. No exponents, blanks, signs of other scripts. */
export const wholeNumber = (least: number, most: number) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,15}$/, 'Erwartet wird eine ganze Zahl.')
          .transform(Number),
      ],
      {
        error: 'Erwartet wird eine ganze Zahl.',
      },
    )
    .pipe(z.number().int('Erwartet wird eine ganze Zahl.').min(least).max(most));

/** A day that exists, as YYYY-MM-DD and in no other spelling. */
export const calendarDay = z.iso.date('Erwartet wird ein Tag, den es gibt.');
