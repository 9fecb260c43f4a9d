import { useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { readCookie } from '#shared/http/cookies.ts';
import { writeCookie } from './cookies.ts';
import type { loader } from './root.tsx';

/** Display preferences of this browser, each in a cookie of its own; nothing secret. */
const cookieNames = {
  /** 'compact' or ''. */
  density: 'kontor_dichte',
  /** 'paged' or '': whether all items of a catalogue are loaded. */
  itemLoading: 'kontor_artikel_laden',
  /** 'filled' or '': which fields an item's card shows. */
  cardFields: 'kontor_artikelfelder',
  /** 'small' or '': size of the list of mappings. */
  mappingList: 'kontor_mappingliste',
  /** Column widths of the assignment tables, see column-widths.ts. */
  assignmentColumns: 'kontor_spalten_zuordnung',
  /** Column widths of the construction table. */
  constructionColumns: 'kontor_spalten_feldaufbau',
  /** 'closed' or '': the guide to the first file. */
  firstSteps: 'kontor_erste_schritte',
  /** 'off' or '': shortcuts of a single key (WCAG 2.1.4). */
  singleKeys: 'kontor_einzeltasten',
} as const;
export type PreferenceName = keyof typeof cookieNames;
export type Preferences = Record<PreferenceName, string>;

/** Reads all preferences from a `Cookie` header. */
export function preferencesOf(cookies: string): Preferences {
  return {
    density: readCookie(cookies, cookieNames.density),
    itemLoading: readCookie(cookies, cookieNames.itemLoading),
    cardFields: readCookie(cookies, cookieNames.cardFields),
    mappingList: readCookie(cookies, cookieNames.mappingList),
    assignmentColumns: readCookie(cookies, cookieNames.assignmentColumns),
    constructionColumns: readCookie(cookies, cookieNames.constructionColumns),
    firstSteps: readCookie(cookies, cookieNames.firstSteps),
    singleKeys: readCookie(cookies, cookieNames.singleKeys),
  };
}

/**
 * Returns a preference and its setter; '' if nothing was chosen. The server already renders with it, so that nothing jumps when
 * the page becomes interactive.
 */
export function usePreference(name: PreferenceName): [string, (value: string) => void] {
  const ofRequest = useRouteLoaderData<typeof loader>('root')?.preferences[name] ?? '';
  const [value, setValue] = useState(() =>
    typeof document === 'undefined' ? ofRequest : readCookie(document.cookie, cookieNames[name]),
  );
  const choose = (next: string) => {
    writeCookie(cookieNames[name], next);
    setValue(next);
  };
  return [value, choose];
}
