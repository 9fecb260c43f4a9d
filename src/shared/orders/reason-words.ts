import { cancelReasons, refundReasons, returnReasons } from './schema.ts';

const words = new Map(Object.entries({ ...cancelReasons, ...returnReasons, ...refundReasons }));

/**
 * Returns the German text of a reason code: 'GeneralAdjustment' is Kulanz. Typed texts and codes of a channel are returned
 * unchanged.
 */
export const reasonWords = (reason: string): string => words.get(reason) ?? reason;
