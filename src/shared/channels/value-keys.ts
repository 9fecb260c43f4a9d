import type { ChannelField } from './schema.ts';

/** A whole number as programs write it, or a percentage, in two groups; RE2 and JavaScript match it alike. */
export const WHOLE_VALUE = '^([0-9]+)(?:[.,]0+)? ?(%?)$';
/** Patterns of a quantity above 0, and of one that is not. */
export const SOME_PIECES = '0*[1-9][0-9]{0,8}(?:[.,]0+)?';
export const NO_PIECES = '(?:0+|-[0-9]{1,9})(?:[.,]0+)?';

/** Returns the comparable form of a value in small letters: '19.00 %' is '19%', '1.0' is '1'. */
export const valueKey = (lowered: string): string => lowered.replace(new RegExp(WHOLE_VALUE), '$1$2');

/** Returns whether a value outside the field's list is a quantity that one of them replaces. */
export const isPieces = ({ pieces }: Pick<ChannelField, 'pieces'>, text: string): boolean =>
  pieces !== undefined && new RegExp(`^(?:${SOME_PIECES}|${NO_PIECES})$`).test(text);
