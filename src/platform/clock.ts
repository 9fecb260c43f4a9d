/** Where the program's time comes from; tests pass their own. The only module that asks the machine for the time. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/**
 * Whether a moment has come that was set at most `within` ms ahead. One that lies further ahead was set before the clock was put back:
 * waiting for it would be waiting for as long as the clock jumped (F16).
 */
export const hasCome = (moment: number, now: number, within: number): boolean => now >= moment || moment - now > within;
