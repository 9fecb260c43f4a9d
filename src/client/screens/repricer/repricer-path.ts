import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** Returns the address of a repricing rule; without an id, of the list. */
export function repricerPath(masterid: string, ruleid?: string): string {
  return pathTo(pages.repricer, ruleid === undefined ? { masterid } : { masterid, ruleid });
}

/** Returns the key of a catalogue's repricing rules in the history. */
export const documentOf = (masterid: string) => ({ subject: 'repricer' as const, scope: `master:${masterid}` });

export type RepricerPlace = { masterid: string; marketplace: string };

/** REP-02: returns the address of the page that asks before the add-on is switched off. */
export const deactivatePath = (place: RepricerPlace): string => pathTo(pages.repricerDelete, place);
