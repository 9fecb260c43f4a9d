import { z } from 'zod';

const count = z.number().int();

/** Items by what is wrong with them: errors, warnings but no errors, neither (hints do not count). */
export const Readiness = z
  .object({ items: count, errors: count, warnings: count, fine: count })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;

/** Share of the items that the channel should take: those without errors; 1 if there are none. */
export const readyShare = ({ items, errors }: Readiness): number => (items === 0 ? 1 : (items - errors) / items);
