import { carriers } from '#shared/orders/schema.ts';
import type { ChannelSupport } from './possible.ts';

/**
 * Returns the carrier in the spelling of the channel, else of the form: people write „dhl“, and a marketplace takes only its exact
 * code. An unknown carrier stays as it is.
 */
export function carrierName(text: string, support: Pick<ChannelSupport, 'carriers'> | undefined): string {
  const plain = (name: string) => name.replaceAll(/\s/g, '').toLowerCase();
  const same = (known: string) => plain(known) === plain(text);
  return support?.carriers.find(same) ?? carriers.find(same) ?? text;
}
