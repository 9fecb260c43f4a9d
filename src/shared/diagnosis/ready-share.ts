import type { Readiness } from './readiness.ts';

/** Share of the items that the channel should take: those without errors; 1 if there are none. */
export const readyShare = ({ items, errors }: Readiness): number => (items === 0 ? 1 : (items - errors) / items);
