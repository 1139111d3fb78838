// program.kt - classes, interfaces, arrays, texts, exceptions and collections, all of which live in the engine's heap (WasmGC).
import kotlin.math.sqrt

sealed interface Shape {
    val area: Double
}

data class Circle(val r: Double) : Shape {
    override val area get() = 3.14159 * r * r
}

data class Rect(val a: Double, val b: Double) : Shape {
    override val area get() = a * b
}

fun sieve(n: Int): List<Int> {
    val composite = BooleanArray(n + 1)
    val primes = ArrayList<Int>()
    for (i in 2..n) {
        if (composite[i]) continue
        primes.add(i)
        var k = i.toLong() * i
        while (k <= n) {
            composite[k.toInt()] = true
            k += i
        }
    }
    return primes
}

class Parser(private val text: String) {
    private var at = 0

    fun expression(): Int {
        var value = term()
        while (at < text.length && text[at] in "+-") {
            val plus = text[at++] == '+'
            value += if (plus) term() else -term()
        }
        return value
    }

    private fun term(): Int {
        var value = factor()
        while (at < text.length && text[at] in "*/") {
            val times = text[at++] == '*'
            val by = factor()
            require(times || by != 0) { "division by zero at $at" }
            value = if (times) value * by else value / by
        }
        return value
    }

    private fun factor(): Int {
        if (text[at] != '(') {
            var value = 0
            while (at < text.length && text[at].isDigit()) value = 10 * value + (text[at++] - '0')
            return value
        }
        at++
        return expression().also { at++ }
    }
}

fun words(n: Int): Map<String, Int> {
    val counts = HashMap<String, Int>()
    for (i in 0 until n) {
        val word = "w" + (i * 7919 % 97)
        counts[word] = (counts[word] ?: 0) + 1
    }
    return counts
}

@OptIn(kotlin.wasm.ExperimentalWasmInterop::class)
@kotlin.wasm.WasmExport
fun run(n: Int): Int {
    val shapes = List(100 * n) { if (it % 3 == 0) Circle(it / 10.0) else Rect(it.toDouble(), sqrt(it.toDouble())) }
    var sum = sieve(1000 * n + 2).size + shapes.sortedBy { it.area }.sumOf { it.area }.toInt()
    for (text in listOf("(1+2)*3-8/(1+1)", "7*$n", "1/($n-2)"))
        sum += try {
            Parser(text).expression()
        } catch (error: IllegalArgumentException) {
            error.message!!.length
        }
    return sum + words(500 * n).entries.sortedByDescending { it.value }.take(3).sumOf { it.value + it.key.length }
}

fun main() {
    for (n in 0..3) println("run($n) = ${run(n)}")
}
