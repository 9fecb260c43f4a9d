import { useMemo } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { z } from 'zod';
import { copyMapping, type Mapping, type MappingExcerpt, newMapping } from '#shared/assignments/schema.ts';
import { newRuleId } from '#client/fields/values/new-id.ts';
import { isPart } from './mapping-loading.ts';
import { mappingPath } from './mapping-path.ts';

const MappingState = z.object({ copyOf: z.string().nullable() });

type Place = { kind: Mapping['kind']; masterid: string; mappings: readonly MappingExcerpt[] };

/**
 * A new mapping that is not saved yet (MAP-06, SWM-02). It exists only in the navigation's state: leaving without saving leaves
 * nothing behind, and the guard asks before.
 */
export function useFreshMapping({ kind, masterid, mappings }: Place) {
  const { mappingid } = useParams();
  const location = useLocation();
  const navigate = useNavigate();
  const request = MappingState.safeParse(location.state).data;
  const known = mappingid === undefined || mappings.some(({ id }) => id === mappingid);
  const copied = mappings.find(({ id }) => id === request?.copyOf);
  /** A copy of an incomplete list would lose its other rows. */
  const waiting = !known && copied !== undefined && isPart(copied);
  const fresh = useMemo((): MappingExcerpt | undefined => {
    if (known || waiting || request === undefined) return undefined;
    const made = copied === undefined ? newMapping(mappingid, kind) : copyMapping(copied, mappingid);
    return { ...made, total: made.data.length };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- made once per address
  }, [known, waiting, mappingid]);
  const make = (copyOf: string | null) =>
    void navigate(mappingPath(kind, masterid, newRuleId()), { state: { copyOf }, preventScrollReset: true });
  /**
   * Clears the request for a new mapping from the navigation's state: otherwise a deleted mapping would come back as a new one.
   */
  const stored = () => void navigate(location.pathname, { replace: true, state: null, preventScrollReset: true });
  return { fresh, waiting, stored, add: () => make(null), copy: ({ id }: Mapping) => make(id) };
}
