import { useId } from 'react';

/**
 * Says why a form's submit button is disabled. `missing`: what the user still has to do, '' if nothing. Returns the line that says
 * so, and the button's props. Screen readers announce each new text of the line, because a disabled button cannot be reached by the
 * Tab key. Render the line from the start: one that is inserted with its text is not announced.
 */
export function useMissing(missing: string) {
  const id = useId();
  const described = missing === '' ? {} : { 'aria-describedby': id };
  return {
    // Keeps its height: otherwise the buttons would move while the user types.
    hint: (
      <p id={id} role="status" className="k-muted k-small" style={{ minHeight: '1lh' }}>
        {missing}
      </p>
    ),
    button: { disabled: missing !== '', ...described },
  };
}
