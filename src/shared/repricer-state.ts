import { z } from 'zod';

/** What a user can switch. Whatever stands against sending wins: all of it is asked again right before a price goes out. */
export const RepricerSwitches = z.object({
  /** REP-02: the add-on itself. Off: nothing is decided, nothing is sent; rules stay. */
  active: z.boolean(),
  /** Prices are decided and recorded as always, but none is sent. */
  dry_run: z.boolean(),
  /** Emergency stop: nothing is sent, not even what waits already. */
  stopped: z.boolean(),
});
export type RepricerSwitches = z.infer<typeof RepricerSwitches>;

export const RepricerState = RepricerSwitches.extend({
  /** Rule ids by priority (REP-03). */
  order: z.array(z.string()),
  /** Revision of the rules, for If-Match. */
  revision: z.number().int(),
  /** The emergency stop of the whole company, and that of the operator for everybody. */
  company_stopped: z.boolean(),
  system_stopped: z.boolean(),
  /** What tripped and holds every price of this catalogue until it is released. */
  breakers: z.array(z.object({ id: z.string(), kind: z.string(), details: z.string(), trippedAt: z.string() })),
}).meta({ id: 'RepricerState' });
export type RepricerState = z.infer<typeof RepricerState>;
