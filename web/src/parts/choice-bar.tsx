import './choice-bar.css';
import { Button } from './button.tsx';

/** Buttons of which one is pressed: what is listed, or over which time. */
export function ChoiceBar<Choice extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly choices: readonly (readonly [choice: Choice, label: string])[];
  readonly chosen: Choice;
  /** Called with another choice. */
  readonly onChoose: (choice: Choice) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen.
    <div className="choice-bar" role="group" aria-label={label}>
      {choices.map(([choice, text]) => (
        <Button key={choice} aria-pressed={choice === chosen} onClick={() => onChoose(choice)}>
          {text}
        </Button>
      ))}
    </div>
  );
}
