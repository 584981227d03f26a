import { type CompiledRule, compileCondition, compileRule, evaluate } from '../evaluate.ts';
import type { Rule } from '../rule.ts';
import { createDoubtFinder, type Doubt } from './doubt.ts';
import type { LoggedRequest } from './logged-request.ts';

/** A rule twice: as if every condition that the log leaves open failed, and as if every one held. */
interface CautiousRule {
  readonly least: CompiledRule;
  readonly most: CompiledRule;
}

/** What the rules of a team make of a request of the log. */
export interface Judgement {
  /** Ids of the rules that match for certain. */
  readonly matched: ReadonlySet<string>;
  /** Ids of the rules that may match besides. */
  readonly mayMatch: ReadonlySet<string>;
  /** The rules of which one decides; null stands for no rule. One element: it is certain. */
  readonly deciders: readonly (CompiledRule | null)[];
  /** Why it is not certain. Empty where it is. */
  readonly doubts: ReadonlySet<Doubt>;
}

/** Judges requests of the log by the rules of one team, with the gateway's own evaluation. */
export class LoggedRequestJudge {
  readonly #rules: readonly CautiousRule[];
  readonly #least: readonly CompiledRule[];
  readonly #most: readonly CompiledRule[];
  /** Why conditions were open since it was emptied last. */
  readonly #open = new Set<Doubt>();

  /** @param rules - All of them are judged as if they were switched on. */
  constructor(rules: readonly Rule[]) {
    const byAge = [...rules].sort((one, other) => one.createdAt - other.createdAt);
    this.#rules = byAge.map((rule) => ({
      least: this.#compile(rule, false),
      most: this.#compile(rule, true),
    }));
    this.#least = this.#rules.map(({ least }) => least);
    this.#most = this.#rules.map(({ most }) => most);
  }

  /**
   * Judges a request. Every rule is as strong as its least form for certain, and may be as strong as its most. So those that
   * may decide are the one that decides between the least forms, and each whose most form beats that one.
   */
  judge(request: LoggedRequest): Judgement {
    this.#open.clear();
    const { matched, decided } = evaluate({ rules: this.#least }, request);
    const certain = new Set(matched.map(({ id }) => id));
    if (this.#open.size === 0)
      return { matched: certain, mayMatch: new Set(), deciders: [decided], doubts: new Set() };
    const possible = evaluate({ rules: this.#most }, request).matched;
    const mayMatch = new Set(possible.flatMap(({ id }) => (certain.has(id) ? [] : [id])));
    this.#open.clear();
    const stronger = possible.filter(
      (rule) => rule.id !== decided?.id && this.#beats(rule, decided, request),
    );
    return { matched: certain, mayMatch, deciders: [decided, ...stronger], doubts: new Set(this.#open) };
  }

  /** Whether a rule in its most form decides against the one that decides between the least forms. */
  #beats(rule: CompiledRule, decided: CompiledRule | null, request: LoggedRequest): boolean {
    if (decided === null) return evaluate({ rules: [rule] }, request).decided === rule;
    const byAge = decided.createdAt < rule.createdAt ? [decided, rule] : [rule, decided];
    return evaluate({ rules: byAge }, request).decided === rule;
  }

  /** @param isHeld - Whether a condition that the log leaves open counts as one that holds. */
  #compile(rule: Rule, isHeld: boolean): CompiledRule {
    return compileRule(rule, (condition) => {
      const test = compileCondition(condition);
      const findDoubt = createDoubtFinder(condition);
      return (request) => {
        const doubt = findDoubt(request as LoggedRequest);
        if (doubt === null) return test(request);
        this.#open.add(doubt);
        return isHeld;
      };
    });
  }
}
