<?php

declare(strict_types=1);

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class () extends Migration {
    /** A row for each payment intent of an order. */
    public function up(): void
    {
        Schema::create('daftar_payments', static function (Blueprint $table): void {
            $table->id();
            // With uuidMorphs or ulidMorphs where your orders have such keys.
            $table->morphs('payable');
            $table->unsignedInteger('attempt'); // 1, and one more after an expiry or a changed amount
            $table->string('reference')->unique(); // what Daftar knows as merchant_reference
            $table->string('order_key', 32); // in the intent's metadata: that it is of this shop and row
            $table->unsignedBigInteger('amount'); // in dirhams: 5000 is 5.000 LYD
            $table->string('currency', 3);
            $table->uuid('uuid')->nullable()->unique(); // of the intent, once it is known
            $table->text('checkout_url')->nullable();
            $table->string('status', 32)->nullable(); // what the API said last
            $table->string('outcome', 16)->nullable(); // what came of a success: paid, surplus, mismatch
            $table->timestamp('looked_at')->nullable(); // when the API was last asked
            $table->timestamps();
            $table->unique(['payable_type', 'payable_id', 'attempt']);
        });
    }

    public function down(): void
    {
        Schema::dropIfExists('daftar_payments');
    }
};
