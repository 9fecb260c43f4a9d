import { z } from 'zod';

/** Schema of a whole number as forms send it: only digits, or a number. No exponents, blanks, or digits of other scripts. */
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

/** Schema of an existing day as YYYY-MM-DD, in no other notation. */
export const calendarDay = z.iso.date('Erwartet wird ein Tag, den es gibt.');
