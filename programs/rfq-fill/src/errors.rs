//! The error codes of the public program.

sluice_program::errors! {
    OVERFLOW = 6000 Overflow "Arithmetic overflow"
    NO_FILL = 6001 NoFill "No fill occurred"
    STALE_ORDERBOOK = 6002 StaleOrderbook "Orderbook is stale"
    INVALID_LEVEL_ORDERING = 6003 InvalidLevelOrdering "Orderbook levels must be sorted best-to-worst for the given side"
    INVALID_CALLER = 6004 InvalidCaller "Invalid caller"
    MAKER_APPEARS_IN_OTHER_INSTRUCTION = 6005 MakerAppearsInOtherInstruction "Maker authority appears in other instructions"
}
