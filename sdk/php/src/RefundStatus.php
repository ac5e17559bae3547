<?php

declare(strict_types=1);

namespace Daftar;

/** How a refund stands. */
enum RefundStatus: string
{
    /** The payment provider is to be asked, or is being asked. */
    case Pending = 'pending';
    /** The money went back. Final. */
    case Succeeded = 'succeeded';
    /** Nothing went back. The amount can be refunded again, under a new reference. */
    case Failed = 'failed';
    /** It is not known whether the money went back. A person finds out; until then the amount is reserved. */
    case Unknown = 'unknown';
}
