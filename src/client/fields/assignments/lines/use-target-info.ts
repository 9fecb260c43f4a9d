import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TargetListInfo } from '#shared/targets/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { showFailure } from '#client/ui/notices.tsx';

/**
 * Facts about the channel's list. After a new list was loaded, only these are reloaded, not the page: a failed reload of the page
 * would replace every unsaved row by an error.
 */
export function useTargetInfo(id: string, table: ExportTable, loaded: TargetListInfo | undefined) {
  const [info, setInfo] = useState(loaded);
  const reload = async () => {
    try {
      setInfo((await call(api.targetLists, { params: { id } })).find((list) => list.table === table));
    } catch (error) {
      showFailure(failureOf('Fehler beim Laden', error));
    }
  };
  return { info, reload: () => void reload() };
}
