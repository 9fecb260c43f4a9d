import type { ArticleListProps } from '#client/screens/repricer/dashboard/dashboard-query.ts';

/** RDA-04, RDA-05: our articles beside those of competitors. */
export function ArticleList({ masterid, sellerId, of, onBack }: ArticleListProps) {
  return (
    <p data-of={of.kind} data-seller={sellerId} data-master={masterid}>
      {onBack !== undefined && (
        <button type="button" onClick={onBack}>
          Zurück
        </button>
      )}
    </p>
  );
}
