import { matchPath } from 'react-router';
import type { FirstSteps } from '#shared/masters/first-steps.ts';
import { type Page, pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

export type Step = {
  label: string;
  /** What to do, in words for the screen where it is done. */
  hint: string;
  done: boolean;
  /** Where the step is done; null as long as something it needs is missing. */
  to: string | null;
};

/** The screens on which the first steps are done. */
const way: readonly Page[] = [
  pages.overview,
  pages.import,
  pages.items,
  pages.masterRules,
  pages.export,
  pages.construction,
];
export const isOnTheWay = (pathname: string): boolean => way.some(({ path }) => matchPath(path, pathname) !== null);
export const isAtItems = (pathname: string): boolean => matchPath(pages.items.path, pathname) !== null;

/** Returns the steps to the first file, in order. `viewedFile`: the items were opened; going on to a later step counts as well. */
export function stepsOf({ masterid, imported, exportid, assigned, file }: FirstSteps, viewedFile: boolean): Step[] {
  const ofMaster = (page: Page) => (masterid === null ? null : pathTo(page, { masterid }));
  const ofExport = (page: Page, search = '') => (exportid === null ? null : pathTo(page, { id: exportid }) + search);
  return [
    {
      label: 'Katalog anlegen',
      hint: 'Geben Sie ihm einen Namen; er nimmt Ihre Artikel auf.',
      done: masterid !== null,
      to: `${pages.overview.path}?katalog=neu`,
    },
    {
      label: 'Datei importieren',
      hint: 'Wählen Sie eine Datei aus Shop oder Warenwirtschaft, dann „Import starten“.',
      done: imported,
      to: ofMaster(pages.import),
    },
    {
      label: 'Artikel ansehen',
      hint: 'Prüfen Sie, ob Artikel und Felder vollständig angekommen sind.',
      done: imported && (viewedFile || exportid !== null),
      to: imported ? ofMaster(pages.items) : null,
    },
    {
      label: 'Export anlegen',
      hint: 'Wählen Sie, an wen die Artikel gehen.',
      done: exportid !== null,
      to: imported && masterid !== null ? `${pages.overview.path}?export=${masterid}` : null,
    },
    {
      label: 'Felder zuordnen',
      hint: 'Übernehmen Sie die Vorschläge, dann speichern Sie.',
      done: assigned,
      to: ofExport(pages.construction, '?vorschlaege=1'),
    },
    {
      label: 'Datei holen',
      hint: 'Starten Sie den Export, dann laden Sie die Datei herunter.',
      done: file,
      to: assigned ? ofExport(pages.export) : null,
    },
  ];
}

/** Returns the next step; undefined if all are done. */
export const nextOf = (steps: readonly Step[]): Step | undefined => steps.find(({ done }) => !done);
