import { cancelReasons, refundReasons, returnReasons } from './schema.ts';

const words = new Map(Object.entries({ ...cancelReasons, ...returnReasons, ...refundReasons }));

/** A reason of the wire as people read it: 'GeneralAdjustment' is Kulanz. What somebody typed or a channel alone knows stands as it is. */
export const reasonWords = (reason: string): string => words.get(reason) ?? reason;
