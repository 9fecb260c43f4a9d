import type { Severity } from '#shared/channels/schema.ts';

/** Values inserted into a sentence: the field's display name, the channel, and the expected limit or spelling. */
export type Words = {
  readonly field: string;
  readonly channel: string;
  readonly detail: string;
  readonly severity: Severity;
};

/** Sentences about a problem: what is wrong, what it means for the merchant, and what to do. */
export type Kind = {
  readonly severity: Severity;
  readonly sentence: (words: Words) => string;
  readonly means: (words: Words) => string;
  readonly todo: (words: Words) => string;
};

/** What most channels do with such an item. */
export const refused = ({ channel }: Words) => `${channel} lehnt solche Artikel in der Regel ab.`;
