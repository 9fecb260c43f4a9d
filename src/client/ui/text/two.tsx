/** The main text of a table's cell, with a smaller second line. */
export const Two = ({ first, second }: { first: string; second: string }) => (
  <div>
    {first}
    {second !== '' && <div className="k-muted k-small">{second}</div>}
  </div>
);
