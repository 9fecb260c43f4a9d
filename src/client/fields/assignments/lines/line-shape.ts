import { rowChanges, rowSentence } from '#shared/assignments/difference.ts';
import { type DocumentShape, rowsShape } from '#client/editor/document-shape.ts';
import { conditionsOf, type Line } from './lines.ts';

/** The rows of a table as a document: compared, described and merged row by row. */
export const lineShape = <L extends Line>(): DocumentShape<readonly L[]> =>
  rowsShape<L>({
    sentences: rowChanges,
    name: (line) => `Zeile „${conditionsOf(line)[0]?.value ?? ''}“`,
    version: (line) => `${line.active ? '' : '(pausiert) '}${rowSentence(line)}`,
    typedPlace: (old, line) => (old.active === line.active ? 'texts' : undefined),
  });
