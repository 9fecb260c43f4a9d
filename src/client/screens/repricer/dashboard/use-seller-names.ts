import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';

const none: Readonly<Record<string, string>> = {};

/** Loads competitors' names by id; without an answer only ids are shown. */
export function useSellerNames(masterid: string): Readonly<Record<string, string>> {
  const question = useMemo(() => ({ masterid }), [masterid]);
  return useLive(question, (signal) => call(api.sellerNames, { signal }), { delay: 0 }).answer ?? none;
}
