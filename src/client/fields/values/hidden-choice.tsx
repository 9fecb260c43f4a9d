type HiddenChoiceProps = {
  /** Prefix of both names: 'querys.0.field' gives 'querys.0.field.type' and '….value'. */
  purpose: string;
  type: string;
  value: string;
};

/** HDR-05: carries a choice in a form post, as its type and its value, in hidden inputs. */
export function HiddenChoice({ purpose, type, value }: HiddenChoiceProps) {
  return (
    <>
      <input type="hidden" name={`${purpose}.type`} value={type} />
      <input type="hidden" name={`${purpose}.value`} value={value} />
    </>
  );
}
