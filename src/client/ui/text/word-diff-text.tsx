import { useMemo } from 'react';
import { formatCount } from './formats.ts';
import { foldDiff, type Piece, wordDiff } from './word-diff.ts';
import classes from './word-diff-text.module.css';

type WordDiffTextProps = {
  /** null: there is no value. */
  before: string | null;
  after: string | null;
};

/** Shows how a text changed: removed words struck through, added ones underlined; long texts are folded around the change. */
export function WordDiffText({ before, after }: WordDiffTextProps) {
  const pieces = useMemo(() => foldDiff(wordDiff(before ?? '', after ?? '')), [before, after]);
  const empty = (after ?? '') === '';
  return (
    <span className={classes.text}>
      {pieces.map((piece, index) => (
        <PieceText key={index} piece={piece} />
      ))}
      {empty && <span className={classes.empty}>leer</span>}
    </span>
  );
}

function PieceText({ piece }: { piece: Piece }) {
  switch (piece.kind) {
    case 'removed':
      return <del className={classes.removed}>{piece.text}</del>;
    case 'added':
      return <ins className={classes.added}>{piece.text}</ins>;
    case 'same':
      return <span>{piece.text}</span>;
    case 'gap':
      return (
        <span className={classes.gap} title={formatCount(piece.hidden, 'Zeichen', 'Zeichen')}>
          …
        </span>
      );
  }
}
