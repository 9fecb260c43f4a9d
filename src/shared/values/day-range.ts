import { z } from 'zod';
import { day } from './schema.ts';

/** Maximum number of days in one request, the first and the last included. */
export const MOST_DAYS = 800;
const daysBetween = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / (24 * 60 * 60_000);

/** Days from `start` to `end`, both inclusive. */
export const DayRange = z
  .object({ start: day, end: day })
  .refine(({ start, end }) => start <= end, { path: ['end'], message: 'Das Ende liegt vor dem Anfang.' })
  .refine(({ start, end }) => daysBetween(start, end) < MOST_DAYS, {
    path: ['start'],
    message: `Der Zeitraum ist zu lang: möglich sind ${MOST_DAYS} Tage.`,
  })
  .meta({ id: 'DayRange' });
