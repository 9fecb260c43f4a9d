import { useMemo } from 'react';
import { Link } from 'react-router';
import type { MappingReader } from '#shared/assignments/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { type Live, useLive } from '#client/use-live.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';

/** Readers that are named; of the others only their number is said. */
const mostNamed = 8;

/** Loads what would lose the results of these mappings without their names; nothing while not `enabled`. */
export function useReaders(masterid: string, ids: readonly string[], enabled: boolean): Live<MappingReader[]> {
  const key = ids.join(' ');
  const question = useMemo(() => ({ ids: key.split(' ') }), [key]);
  return useLive(question, (signal) => call(api.mappingReaders, { params: { masterid }, body: question, signal }), {
    delay: 300,
    enabled: enabled && key !== '',
  });
}

/** Says that the readers could not be loaded, or shows nothing. */
export function ReadersFailure({ readers }: { readers: Live<MappingReader[]> }) {
  const { failure, retry } = readers;
  return (
    <ErrorNotice
      failure={failure && { ...failure, title: 'Die Stellen, die davon lesen, ließen sich nicht ermitteln' }}
      onRetry={retry}
    />
  );
}

/** The readers as links, after a sentence that says what happens to them. */
export function Readers({ readers, children }: { readers: readonly MappingReader[]; children: string }) {
  const more = readers.length - mostNamed;
  return (
    <>
      {children}{' '}
      {readers.slice(0, mostNamed).map(({ text, path }, index) => (
        // Two output fields may have the same name.
        // oxlint-disable-next-line react/no-array-index-key -- the list is never reordered
        <span key={`${index} ${path}`}>
          {index > 0 && ', '}
          <Link to={path}>{text}</Link>
        </span>
      ))}
      {more > 0 && ` und ${formatInteger(more)} weitere`}.
    </>
  );
}
