import type { ChannelField } from './schema.ts';

/** A whole number as programs write it, or a percentage, in two groups; RE2 and JavaScript read it alike. */
export const WHOLE_VALUE = '^([0-9]+)(?:[.,]0+)? ?(%?)$';
/** A number of pieces above 0, and one that is not. */
export const SOME_PIECES = '0*[1-9][0-9]{0,8}(?:[.,]0+)?';
export const NO_PIECES = '(?:0+|-[0-9]{1,9})(?:[.,]0+)?';

/** What counts of a value in small letters: '19.00 %' is '19%', '1.0' is '1'. */
export const valueKey = (lowered: string): string => lowered.replace(new RegExp(WHOLE_VALUE), '$1$2');

/** Whether a value that is none of the field's is a number of pieces that stands for one. */
export const isPieces = ({ pieces }: Pick<ChannelField, 'pieces'>, text: string): boolean =>
  pieces !== undefined && new RegExp(`^(?:${SOME_PIECES}|${NO_PIECES})$`).test(text);
