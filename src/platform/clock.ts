/** Source of the program's time; tests pass their own. No other module reads the machine's clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/**
 * Whether a moment that was set at most `within` ms ahead has come. A moment further ahead was set before the clock was put
 * back: waiting for it would last as long as the clock jumped (F16).
 */
export const hasArrived = (moment: number, now: number, within: number): boolean =>
  now >= moment || moment - now > within;
