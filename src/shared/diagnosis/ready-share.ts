import type { Readiness } from './readiness.ts';

/** Returns the share of items without errors, which the channel should accept; 1 if there are none. */
export const readyShare = ({ items, errors }: Readiness): number => (items === 0 ? 1 : (items - errors) / items);
