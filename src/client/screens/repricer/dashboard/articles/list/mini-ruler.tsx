import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import classes from './mini-ruler.module.css';
import { type Mark, type MarkKind, markWords, rulerMarks } from './mini-ruler.ts';

const width = 150;
const edge = 8;
const middle = 12;

/**
 * Position of our price between its limits, and against the competitor's. Told apart by shape:
 * a dot is ours, a diamond the competitor.
 */
export function MiniRuler({ article }: { article: RepricedArticle }) {
  const marks = rulerMarks(article);
  if (marks.length === 0) return <span className="k-muted">–</span>;
  const words = markWords(marks, article.currency);
  const of = (kind: MarkKind) => marks.find((mark) => mark.kind === kind);
  const [min, max, own, rival] = [of('min'), of('max'), of('own'), of('rival')];
  return (
    <svg className={classes.ruler} width={width} height={24} role="img" aria-label={words}>
      <title>{words}</title>
      <line className={classes.track} x1={edge} x2={width - edge} y1={middle} y2={middle} />
      {min !== undefined && max !== undefined && (
        <line className={classes.room} x1={at(min)} x2={at(max)} y1={middle} y2={middle} />
      )}
      {(['min', 'standard', 'max'] as const).map((kind) => {
        const mark = of(kind);
        const half = kind === 'standard' ? 4 : 7;
        return (
          mark !== undefined && (
            <line
              key={kind}
              className={classes.limit}
              x1={at(mark)}
              x2={at(mark)}
              y1={middle - half}
              y2={middle + half}
            />
          )
        );
      })}
      {rival !== undefined && <path className={classes.rival} d={`M${at(rival)} ${middle - 6} l6 6 l-6 6 l-6 -6 z`} />}
      {own !== undefined && <circle className={classes.own} cx={at(own)} cy={middle} r={5} />}
    </svg>
  );
}

const at = ({ x }: Mark) => edge + (x / 100) * (width - 2 * edge);
