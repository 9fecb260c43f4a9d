import { z } from 'zod';

const count = z.number().int();

/** Items by what is wrong with them: errors, warnings but no errors, neither (hints do not count). */
export const Readiness = z
  .object({ items: count, errors: count, warnings: count, fine: count })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;
