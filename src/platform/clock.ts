/** Where the program's time comes from; tests pass their own. The only module that asks the machine for the time. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
