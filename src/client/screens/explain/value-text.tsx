import IconArrowRight from 'virtual:icons/arrow-right';
import { WordDiffText } from '#client/ui/text/word-diff-text.tsx';
import classes from './value-text.module.css';

/** Characters; longer texts are shown as a word diff, shorter ones whole. */
const short = 30;

/** A value unchanged, blanks and line breaks included; a missing one in words. */
export function ValueText({ text }: { text: string | null }) {
  if (text === null || text === '') return <span className={classes.empty}>leer</span>;
  return <span className={classes.value}>{text}</span>;
}

/** A value before and after. */
export function Change({ before, after }: { before: string | null; after: string | null }) {
  if (Math.min(before?.length ?? 0, after?.length ?? 0) > short) return <WordDiffText before={before} after={after} />;
  return (
    <span className={classes.change}>
      <del className={classes.before}>
        <span className="k-hidden">vorher </span>
        <ValueText text={before} />
      </del>
      <IconArrowRight size={16} className={classes.arrow} aria-hidden />
      <ins className={classes.after}>
        <span className="k-hidden">nachher </span>
        <ValueText text={after} />
      </ins>
    </span>
  );
}
