import { z } from 'zod';

const count = z.number().int();

/** Number of items by severity: with errors, with warnings only, with neither (hints do not count). */
export const Readiness = z
  .object({ items: count, errors: count, warnings: count, fine: count })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;
