import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** The address of a repricing rule; without one, of the list. */
export function repricerPath(masterid: string, ruleid?: string): string {
  return pathTo(pages.repricer, ruleid === undefined ? { masterid } : { masterid, ruleid });
}

/** Where the history keeps the repricing rules of a catalogue. */
export const documentOf = (masterid: string) => ({ subject: 'repricer' as const, scope: `master:${masterid}` });

export type RepricerPlace = { masterid: string; marketplace: string };

/** REP-02: the page that asks before the add-on is switched off. */
export const deactivatePath = (place: RepricerPlace): string => pathTo(pages.repricerDelete, place);
