import type { Severity } from '#shared/channels/schema.ts';

/** What a sentence is filled with: the field as people call it, the channel, and the limit or spelling that was expected. */
export type Words = { readonly field: string; readonly channel: string; readonly detail: string };

/** What is wrong, what it means for the merchant, what he can do. */
export type Kind = {
  readonly severity: Severity;
  readonly sentence: (words: Words) => string;
  readonly means: (words: Words) => string;
  readonly todo: (words: Words) => string;
};

/** What most channels do with such an item. */
export const refused = ({ channel }: Words) => `${channel} lehnt solche Artikel in der Regel ab.`;
